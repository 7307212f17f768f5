import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES } from '@voxscribe/contracts/events'
import { parse } from 'yaml'

/** Prometheus's own evaluation of rules, in Debian's package `prometheus`. */
const PROMTOOL = '/usr/bin/promtool'
const RULES = join(import.meta.dirname, 'alerts.yml')
const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }

/** Minutes of each case: healthy ones first, then those with the fault. */
const [HEALTHY, FAULTY] = [30, 45]
const END = HEALTHY + FAULTY

/** Series in promtool's notation. */
type Series = Record<string, string>

const gauge = (healthy: number, faulty: number, minutes = FAULTY) =>
  `${healthy}x${HEALTHY} ${faulty}x${minutes - 1} ${healthy}x${FAULTY - minutes}`
/** Returns a counter by its increase per minute. */
const counter = (healthy: number, faulty: number) =>
  `0+${healthy}x${HEALTHY} ${HEALTHY * healthy + faulty}+${faulty}x${FAULTY - 1}`
/** Returns a counter that jumps once, when the fault begins. */
const jump = (by: number) => `0x${HEALTHY} ${by}x${FAULTY - 1}`
/** Returns a histogram with 100 observations per minute, of which `slow` are between the bounds during the fault. */
const histogram = (name: string, label: string, [low, high]: [number, number], slow: number): Series => ({
  [`${name}_bucket{${label},le="${low}"}`]: counter(100, 100 - slow),
  [`${name}_bucket{${label},le="${high}"}`]: counter(100, 100),
  [`${name}_bucket{${label},le="+Inf"}`]: counter(100, 100),
})
const up = (values: string): Series => ({ 'up{job="voxscribe",app="gateway"}': values })
const requests = (failed: number): Series => ({
  'http_request_duration_seconds_count{service="gateway",status="200"}': counter(100, 100 - failed),
  'http_request_duration_seconds_count{service="gateway",status="503"}': counter(0, failed),
})
const webhooks = (outcome: string, values: string): Series => ({
  [`webhook_duration_seconds_count{provider="whatsapp",outcome="${outcome}"}`]: values,
})
/** Webhooks per minute that are accepted, and that fail. */
const taken = (done: number, failed: number, healthy = 100): Series => ({
  ...webhooks('done', counter(healthy, done)),
  ...webhooks('failed', counter(0, failed)),
})
const beyondEngine = (slow: number) =>
  histogram('transcription_beyond_engine_seconds', 'a="b"', [60, 300], slow)
/** One late note, with `each` notes per minute. */
const lateOnce = (each: number): Series => ({
  'transcription_beyond_engine_seconds_bucket{le="+Inf"}': `0+${each}x${END}`,
  'transcription_beyond_engine_seconds_bucket{le="60"}': `0+${each}x${HEALTHY} ${HEALTHY * each + each - 1}+${each}x${FAULTY - 1}`,
})
/** Notes that wait for `seconds`, while `ended` notes per minute end. */
const stuck = (seconds: number, ended: number, then?: string): Series => ({
  transcription_waiting_notes: then ? `0x${HEALTHY} ${then}` : gauge(0, 50),
  transcription_oldest_waiting_seconds: then ? `0x${HEALTHY} ${then}` : gauge(0, seconds),
  'transcription_notes_total{outcome="completed"}': then ? `0+5x${HEALTHY} ${then}` : counter(5, ended),
})
const queue = (growth: number, handled: number, name = 'a.b'): Series => ({
  [`rabbitmq_queue_messages_ready{queue="${name}"}`]: counter(0, growth),
  'bus_message_duration_seconds_count{queue="a.b",outcome="done"}': counter(50, handled),
})
const notes = (completed: number, failed: number): Series => ({
  'transcription_notes_total{outcome="completed"}': counter(5, completed),
  'transcription_notes_total{outcome="failed"}': counter(0, failed),
})
const notifications = (failed: number): Series => ({
  'notifications_total{channel="chat",outcome="sent"}': counter(10, 10 - failed),
  'notifications_total{channel="chat",outcome="failed"}': counter(0, failed),
})
const answers = (slow: number) => histogram('http_request_duration_seconds', 'service="auth"', [1, 2.5], slow)
const messageWait = (slow: number) => histogram('bus_message_wait_seconds', 'queue="q"', [300, 600], slow)
const noteWait = (slow: number) =>
  histogram('transcription_queue_wait_seconds', 'step="listen"', [300, 600], slow)
const engine = (slow: number) =>
  histogram('transcription_engine_realtime_ratio', 'engine="openai"', [2, 4], slow)
const costs = (spent: number, budget = 50): Series => ({
  model_spent_dollars: gauge(0, spent),
  model_budget_dollars: gauge(budget, budget),
})
const DAY_SECONDS = 86_400
const ends = (days: number): Series => ({
  'transcription_model_ends_timestamp_seconds{model="whisper-1"}': gauge(
    90 * DAY_SECONDS,
    days * DAY_SECONDS,
  ),
})
const outbox = (seconds: number, minutes?: number): Series => ({
  'outbox_oldest_event_seconds{service="ingestion"}': gauge(0, seconds, minutes),
})
/** promtool's samples are taken at the minutes since 1970. */
const clock = (ahead: number): Series => ({
  clock_time_seconds: `0+60x${HEALTHY} ${(HEALTHY + 1) * 60 + ahead}+60x${FAULTY - 1}`,
})

const CASES: [fault: string, fires: string, series: Series][] = [
  ['a service does not respond', 'ServiceDown', up(gauge(1, 0))],
  ['a service restarts within a minute', 'nothing', up(gauge(1, 0, 1))],
  ['a service has no instance', 'ServiceMissing', up(`1x${HEALTHY} stale`)],
  ['6 % of the requests fail', 'ErrorRateHigh', requests(6)],
  ['4 % of the requests fail', 'nothing', requests(4)],
  ['6 % of the requests take longer than a second', 'AnswersSlow', answers(6)],
  ['4 % of the requests take longer than a second', 'nothing', answers(4)],
  ['2 % of the webhooks fail', 'WebhooksFailing', taken(98, 2)],
  ['all of a few webhooks fail', 'WebhooksFailing', taken(0, 1, 1)],
  ['one webhook in 2,000 fails', 'nothing', { ...taken(100, 0), ...webhooks('failed', jump(1)) }],
  ['one webhook of few fails', 'nothing', { ...taken(1, 0, 1), ...webhooks('failed', jump(1)) }],
  ['a fifth of the notes take longer than a minute', 'AnswersLate', beyondEngine(20)],
  ['4 % of the notes take longer than a minute', 'nothing', beyondEngine(4)],
  ['one note in 2,000 takes longer than a minute', 'nothing', lateOnce(100)],
  ['one note of few takes longer than a minute', 'nothing', lateOnce(1)],
  ['notes wait and none ends', 'NotesStuck', stuck(1_800, 0)],
  ['notes wait long, and others end', 'nothing', stuck(1_800, 5)],
  [
    'nothing waits and no note comes',
    'nothing',
    { ...stuck(0, 0), transcription_waiting_notes: gauge(0, 0) },
  ],
  ['a queue grows and nothing is handled', 'QueueStuck', queue(5, 0)],
  ['a queue grows while messages are handled', 'nothing', queue(5, 50)],
  ['dead letters lie in their queue', 'nothing', queue(5, 0, 'a.b.dead')],
  [
    'the only pod of transcription vanishes with notes that wait',
    'ServiceMissing',
    {
      ...stuck(1_800, 0, 'stale'),
      'up{job="voxscribe",app="transcription"}': `1x${HEALTHY} stale`,
    },
  ],
  ['25 webhooks have a wrong signature', 'WebhooksRefused', webhooks('refused', jump(25))],
  ['15 webhooks have a wrong signature', 'nothing', webhooks('refused', jump(15))],
  ['a message can never be handled', 'DeadLetters', { 'bus_dead_letters_total{queue="q"}': jump(1) }],
  [
    'a message is retried for 20 minutes',
    'MessagesFailing',
    { 'bus_oldest_retry_seconds{queue="q"}': gauge(0, 1_200) },
  ],
  [
    'a message is retried for 10 minutes',
    'nothing',
    { 'bus_oldest_retry_seconds{queue="q"}': gauge(0, 600) },
  ],
  ['11 % of the messages wait longer than 5 minutes', 'QueueWaitLong', messageWait(11)],
  ['9 % of the messages wait longer than 5 minutes', 'nothing', messageWait(9)],
  ['11 % of the notes wait longer than 5 minutes', 'NotesWaitLong', noteWait(11)],
  ['9 % of the notes wait longer than 5 minutes', 'nothing', noteWait(9)],
  ['a clock is six seconds ahead', 'ClockOff', clock(6)],
  ['a clock is four seconds behind', 'nothing', clock(-4)],
  ['an event waits in the outbox', 'OutboxStuck', outbox(90)],
  ['an event waits in the outbox for a minute', 'nothing', outbox(90, 1)],
  ['most notes fail', 'NotesFailing', notes(1, 4)],
  ['some notes fail', 'nothing', notes(3, 2)],
  ['an engine takes more than twice the length of a note', 'EngineSlow', engine(11)],
  ['one note in twenty takes an engine that long', 'nothing', engine(5)],
  ['3 of 10 answers fail', 'NotificationsFailing', notifications(3)],
  ['1 of 10 answers fails', 'nothing', notifications(1)],
  ['models have cost 82 % of the budget', 'ModelBudgetNearlySpent', costs(41)],
  ['models have cost 78 % of the budget', 'nothing', costs(39)],
  ['there is no budget', 'nothing', costs(0, 0)],
  ['the model in use ends in 59 days', 'SpeechModelEnds', ends(59)],
  ['the model in use ends in 61 days', 'nothing', ends(61)],
  ['WhatsApp raises an alarm', 'WhatsAppAlarm', { 'whatsapp_alarms_total{code="190"}': jump(3) }],
  ['WhatsApp refuses one message', 'nothing', { 'whatsapp_alarms_total{code="190"}': jump(1) }],
  [
    'a provider refuses our token',
    'MediaTokenRefused',
    { 'media_fetch_failures_total{provider="whatsapp",cause="token"}': jump(3) },
  ],
  [
    'a provider has no such file',
    'nothing',
    { 'media_fetch_failures_total{provider="whatsapp",cause="gone"}': jump(1) },
  ],
]

/** Metrics with one failure, or one slow case, at two per minute. */
const FEW: [fault: string, series: Series][] = [
  [
    'requests fails',
    {
      'http_request_duration_seconds_count{service="gateway",status="200"}': counter(2, 2),
      'http_request_duration_seconds_count{service="gateway",status="503"}': jump(1),
    },
  ],
  ...Object.entries({
    'http_request_duration_seconds,service="auth"': [1, 2.5],
    'bus_message_wait_seconds,queue="q"': [300, 600],
    'transcription_queue_wait_seconds,step="listen"': [300, 600],
    'transcription_engine_realtime_ratio,engine="openai"': [2, 4],
  }).map(([key, [low, high]]): [string, Series] => {
    const [name, label] = key.split(',')
    const slow = `0+2x${HEALTHY} ${2 * HEALTHY + 1}+2x${FAULTY - 1}`
    const all = `0+2x${END}`
    const bucket = (le: string, values: string) => [`${name}_bucket{${label},le="${le}"}`, values]
    return [
      `observations of ${name} is slow`,
      Object.fromEntries([bucket(`${low}`, slow), bucket(`${high}`, all), bucket('+Inf', all)]),
    ]
  }),
  [
    'notes fails',
    {
      'transcription_notes_total{outcome="completed"}': counter(2, 2),
      'transcription_notes_total{outcome="failed"}': jump(1),
    },
  ],
  [
    'notifications fails',
    {
      'notifications_total{channel="chat",outcome="sent"}': counter(2, 2),
      'notifications_total{channel="chat",outcome="failed"}': jump(1),
    },
  ],
]

const changed = (series: Series, change: (values: string) => string): Series =>
  Object.fromEntries(Object.entries(series).map(([name, values]) => [name, change(values)]))
/** Returns the same shares at a hundred times the traffic. */
const busier = (values: string) =>
  values.replace(/(\d+)\+(\d+)x/g, (_, from, by) => `${Number(from) * 100}+${Number(by) * 100}x`)
/** Returns the healthy part of a series, then nothing, as when its pod has vanished. */
const vanished = (values: string) => `${values.split(' ')[0]} stale`
/** Returns counters that stand still from the fault on. */
const hanging = (values: string) =>
  values.replace(/^0\+(\d+)x(\d+) .*/, (_, by, minutes) => `0+${by}x${minutes} ${by * minutes}x${FAULTY - 1}`)
/** Whether there is a counter that increases; a clock increases, but isn't one. */
const hasRates = (series: Series) =>
  !('clock_time_seconds' in series) && Object.values(series).some(values => /\d\+[1-9]/.test(values))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'voxscribe-alerts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Has Prometheus evaluate the rules. Returns its report if the alerts that fire aren't exactly the cases' alerts. */
function reportOf(cases: [fault: string, fires: string, series: Series][]): string | null {
  const healthy = SERVICES.map(app => [`up{job="voxscribe",app="${app}"}`, `1x${END}`])
  const expectation = (minute: number, minutes: number, alerts: string[]) => ({
    expr: `group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${minutes - 1}m]))`,
    eval_time: `${minute}m`,
    exp_samples: alerts.map(alert => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  })
  const tests = cases.map(([name, fires, series]) => ({
    name,
    interval: '1m',
    input_series: Object.entries({ ...Object.fromEntries(healthy), ...series }).map(([series, values]) => ({
      series,
      values,
    })),
    promql_expr_test: [
      expectation(HEALTHY, HEALTHY, []),
      expectation(END, FAULTY, fires === 'nothing' ? [] : [fires]),
    ],
  }))
  const file = join(folder, 'test.json')
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
  try {
    execFileSync(PROMTOOL, ['test', 'rules', file], { stdio: 'pipe', encoding: 'utf8', env: { GOGC: '400' } })
    return null
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return `${stdout}${stderr}`
  }
}

test('when there is a rule, then there is a case in which it fires', () => {
  const rules = groups.flatMap(group => group.rules.map(({ alert }) => alert))
  const fired = new Set(CASES.flatMap(([, fires]) => (fires === 'nothing' ? [] : [fires])))
  expect([...fired].sort()).toEqual(rules.sort())
})

const evaluated = existsSync(PROMTOOL) ? describe : describe.skip
evaluated('the rules, evaluated by promtool', () => {
  test('when there is a fault, then its alert alone fires, and nothing did before', () => {
    expect(reportOf(CASES)).toBeNull()
  })

  test('when there is a hundred times the traffic, then the same shares fire', () => {
    const rates = CASES.filter(([, , series]) => hasRates(series))
    expect(
      reportOf(rates.map(([fault, fires, series]) => [fault, fires, changed(series, busier)])),
    ).toBeNull()
  })

  test('when one of a few fails, then nothing fires', () => {
    expect(reportOf(FEW.map(([fault, series]) => [fault, 'nothing', series]))).toBeNull()
  })

  const firing = CASES.filter(([, fires]) => !['nothing', 'ServiceDown', 'ServiceMissing'].includes(fires))
  test('when the pod vanishes that an alert is about, then its absence alone fires', () => {
    const up = { 'up{job="voxscribe",app="transcription"}': `1x${HEALTHY} stale` }
    expect(
      reportOf(
        firing.map(([fault, , series]) => [fault, 'ServiceMissing', { ...changed(series, vanished), ...up }]),
      ),
    ).toBeNull()
  })

  test('when a process hangs, then no alert fires by what was before', () => {
    const counted = firing.filter(
      ([, , series]) => hasRates(series) && !('transcription_waiting_notes' in series),
    )
    expect(
      reportOf(counted.map(([fault, , series]) => [fault, 'nothing', changed(series, hanging)])),
    ).toBeNull()
  })
})
