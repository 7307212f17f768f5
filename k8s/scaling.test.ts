import { join } from 'node:path'
import { documentsOf } from './render.ts'

// Simulates, second by second, how many pods the autoscaler keeps under a steady load, as KEDA and the HPA behind it
// decide: every 15 s, by the mean per pod, with a tolerance of a tenth; upwards by at most twice as many or four more.

const HOURS = 2
const NOTES_PER_MINUTE = 480
const DECIDES_EVERY = 15
const TOLERANCE = 0.1
/** The first half hour finds the number of pods; two hours follow. */
const SETTLED_SECONDS = 1_800

interface Rule {
  /** Notes per pod. */
  perPod: number
  min: number
  max: number
  stabilisesSeconds: number
  /** Percentage of the pods that may be removed per minute. */
  downPercent: number
}
interface Pods {
  /** Notes that a pod handles at once. */
  places: number
  secondsANote: number
  startSeconds: number
  /** Whether a stopping pod lets its notes finish. */
  drains: boolean
}

function ruleOf(name: string): Rule {
  const [{ spec }] = documentsOf(join(import.meta.dirname, `base/${name}/scaling.yaml`))
  const [{ metadata }] = spec.triggers
  const { stabilizationWindowSeconds, policies } =
    spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown
  const { type, value, periodSeconds } = policies[0]
  expect({ type, periodSeconds, policies: policies.length }).toEqual({
    type: 'Percent',
    periodSeconds: 60,
    policies: 1,
  })
  return {
    perPod: Number(metadata.queryValue),
    min: spec.minReplicaCount,
    max: spec.maxReplicaCount,
    stabilisesSeconds: stabilizationWindowSeconds,
    downPercent: value,
  }
}

/** Returns uniform numbers below 1, the same in each run (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function simulate(rule: Rule, { places, secondsANote, startSeconds, drains }: Pods) {
  const next = random(1)
  let waiting = 0
  const pods = Array.from({ length: rule.min }, () => ({ readyAt: 0, ends: [] as number[] }))
  const wanted: { at: number; count: number }[] = []
  const counts: number[] = []
  let cutOff = 0
  let lastDown = 0
  let most = 0

  function decide(now: number): void {
    const inHand = pods.reduce((sum, { ends }) => sum + ends.length, 0)
    const metric = waiting + inHand
    const ratio = metric / rule.perPod / pods.length
    const count = Math.abs(ratio - 1) <= TOLERANCE ? pods.length : Math.ceil(metric / rule.perPod)
    wanted.push({ at: now, count: Math.min(rule.max, Math.max(rule.min, count)) })
    const recent = wanted.filter(({ at }) => now - at <= rule.stabilisesSeconds)
    const up = Math.min(wanted.at(-1)!.count, Math.max(2 * pods.length, pods.length + 4))
    for (let add = up - pods.length; add > 0; add--) pods.push({ readyAt: now + startSeconds, ends: [] })
    const keep = Math.max(...recent.map(({ count }) => count))
    if (keep >= pods.length || now - lastDown < 60) return
    lastDown = now
    const left = Math.max(keep, pods.length - Math.floor((pods.length * rule.downPercent) / 100))
    for (const { ends } of pods.splice(left)) {
      if (drains) continue
      if (now >= SETTLED_SECONDS) cutOff += ends.length
      waiting += ends.length
    }
  }

  for (let now = 0; now < SETTLED_SECONDS + HOURS * 3600; now++) {
    // A Poisson process has exponential gaps.
    for (let gap = 0; ; ) {
      gap -= Math.log(1 - next()) / (NOTES_PER_MINUTE / 60)
      if (gap >= 1) break
      waiting += 1
    }
    for (const pod of pods) pod.ends = pod.ends.filter(end => end > now)
    for (const pod of pods)
      while (waiting && now >= pod.readyAt && pod.ends.length < places) {
        waiting -= 1
        pod.ends.push(now + secondsANote * (0.5 + next()))
      }
    most = Math.max(most, waiting)
    if (now % DECIDES_EVERY === 0) decide(now)
    if (now >= SETTLED_SECONDS) counts.push(pods.length)
  }
  return { fewest: Math.min(...counts), most: Math.max(...counts), cutOff, longestQueue: most }
}

const REMOTE = { places: 32, secondsANote: 4, startSeconds: 20, drains: true }
const LOCAL = { places: 2, secondsANote: 5, startSeconds: 45, drains: false }

test.each([
  ['transcription', REMOTE],
  ['transcription-local', LOCAL],
])(
  'when 480 notes come each minute for two hours, then %s keeps its pods and cuts no note off',
  (name, pods) => {
    const { fewest, most, cutOff, longestQueue } = simulate(ruleOf(name), pods)
    expect(most - fewest).toBeLessThanOrEqual(Math.max(1, 0.25 * most))
    expect(cutOff).toBe(0)
    expect(longestQueue).toBeLessThan(NOTES_PER_MINUTE * 3)
    expect(most).toBeLessThan(ruleOf(name).max)
  },
)
