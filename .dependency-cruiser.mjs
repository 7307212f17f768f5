import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

// Arrows point one way: services → packages; web → contracts and languages; no service imports another.
const SERVICES = '^services/([^/]+)/'
const TESTS = '\\.test\\.tsx?$'
/** Of transcription; from the top down. */
const TRANSCRIPTION_ROOMS = [
  'page',
  'list',
  'work',
  'note',
  'text-model',
  'hearing',
  'engines',
  'models',
  'local-model',
  'audio',
]

/** Whatever shows something says it in the reader's language. */
const TEXTS = '^web/src/language/i18n\\.ts$'

const SCREENS =
  'account|blog|contact|dashboard|history|landing|not-found|pricing|profile|shared|subscription|transcript|welcome|words'

/** A workspace imports only those of the others that its package.json names: an image has no more than these. */
const manifests = globSync(
  ['packages/*', 'services/*', 'web', 'deploy/local', 'drill', 'e2e'].map(at => `${at}/package.json`),
).map(path => ({ at: dirname(path), ...JSON.parse(readFileSync(path, 'utf8')) }))
const undeclared = manifests.flatMap(({ at, name, dependencies, devDependencies }) => {
  const declared = { ...dependencies, ...devDependencies }
  const others = manifests.filter(other => other.name !== name && !declared[other.name])
  return {
    name: `undeclared-by-${name.replace('@voxscribe/', '')}`,
    severity: 'error',
    from: { path: `^${at}/` },
    to: { path: others.map(other => `^${other.at}/`) },
  }
})

export default {
  forbidden: [
    ...undeclared,
    {
      name: 'no-service-imports-another',
      severity: 'error',
      from: { path: SERVICES },
      to: { path: SERVICES, pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|web|deploy|drill|e2e)/' },
    },
    {
      name: 'web-knows-contracts-only',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(services|deploy|drill|e2e|packages/(?!(contracts|languages)/))' },
    },
    {
      name: 'contracts-know-no-one',
      severity: 'error',
      from: { path: '^packages/(contracts|languages)/' },
      to: { path: '^packages/(?!(contracts|languages)/)' },
    },
    {
      name: 'messaging-knows-contracts-only',
      severity: 'error',
      from: { path: '^packages/messaging/' },
      to: { path: '^packages/(?!contracts/|messaging/)' },
    },
    {
      name: 'stand-ins-know-nothing-of-the-product',
      severity: 'error',
      from: { path: '^packages/(sandbox|embedded-mongo)/', pathNot: TESTS },
      to: { path: '^packages/(?!sandbox/|embedded-mongo/)' },
    },
    {
      name: 'screens-do-not-import-screens',
      severity: 'error',
      from: { path: `^web/src/(${SCREENS})/` },
      to: { path: `^web/src/(${SCREENS})/`, pathNot: '^web/src/($1|transcript/note)/' },
    },
    {
      name: 'only-lists-and-uploads-show-notes-of-the-transcript',
      severity: 'error',
      comment: 'transcript/note has what a note shows and offers on other pages, too.',
      from: { path: '^web/src/', pathNot: '^web/src/(transcript|history|dashboard|upload|app)/' },
      to: { path: '^web/src/transcript/' },
    },
    {
      name: 'uploads-know-no-screen',
      severity: 'error',
      from: { path: '^web/src/upload/', pathNot: TESTS },
      to: { path: `^web/src/(${SCREENS}|app)/`, pathNot: '^web/src/transcript/note/' },
    },
    {
      name: 'transcript-note-knows-no-neighbour',
      severity: 'error',
      from: { path: '^web/src/transcript/note/', pathNot: TESTS },
      to: { path: '^web/src/(transcript|history|upload)/', pathNot: '^web/src/transcript/note/' },
    },
    {
      name: 'shared-web-code-knows-no-screen',
      severity: 'error',
      from: { path: '^web/src/(ui|api|session|plan|phone)/', pathNot: TESTS },
      to: { path: `^web/src/(${SCREENS}|app)/` },
    },
    {
      name: 'ui-knows-nothing-of-the-domain',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: TESTS },
      to: { path: '^(packages|web/src/(?!ui/))', pathNot: TEXTS },
    },
    {
      name: 'api-knows-no-session',
      severity: 'error',
      from: { path: '^web/src/api/', pathNot: TESTS },
      to: { path: '^web/src/(?!api/)', pathNot: TEXTS },
    },
    {
      name: 'session-knows-the-api-only',
      severity: 'error',
      from: { path: '^web/src/session/', pathNot: TESTS },
      to: { path: '^web/src/(?!(session|api)/)', pathNot: TEXTS },
    },
    // The doors (handlers, routes, jobs) know the note, the note the engines, engines the models, models the native
    // workers, these the audio; none looks up.
    {
      name: 'transcription-rooms-know-no-door',
      severity: 'error',
      from: { path: `^services/transcription/src/(${TRANSCRIPTION_ROOMS.join('|')})/`, pathNot: TESTS },
      to: { path: '^services/transcription/src/(service|handlers|routes|jobs|main)\\.ts$' },
    },
    ...TRANSCRIPTION_ROOMS.slice(1).map((room, floor) => ({
      name: `transcription-${room}-looks-down-only`,
      severity: 'error',
      from: { path: `^services/transcription/src/${room}/`, pathNot: TESTS },
      to: { path: `^services/transcription/src/(${TRANSCRIPTION_ROOMS.slice(0, floor + 1).join('|')})/` },
    })),
    // deps.ts has types only: what auth's calls depend on.
    {
      name: 'auth-accounts-know-no-other-room',
      severity: 'error',
      from: { path: '^services/auth/src/accounts/', pathNot: TESTS },
      to: { path: '^services/auth/src/(?!accounts/|deps\\.ts$)' },
    },
    {
      name: 'auth-sessions-know-accounts-only',
      severity: 'error',
      from: { path: '^services/auth/src/sessions/', pathNot: TESTS },
      to: { path: '^services/auth/src/(?!(accounts|sessions)/|deps\\.ts$)' },
    },
    {
      name: 'auth-recovery-knows-no-door',
      severity: 'error',
      from: { path: '^services/auth/src/recovery/', pathNot: TESTS },
      to: { path: '^services/auth/src/(?!(accounts|sessions|recovery)/|deps\\.ts$)' },
    },
    {
      name: 'ingestion-rooms-know-senders-only',
      severity: 'error',
      from: { path: '^services/ingestion/src/(webhooks|senders|media)/', pathNot: TESTS },
      to: {
        path: '^services/ingestion/src/',
        pathNot: '^services/ingestion/src/($1/|senders/|settings\\.ts$)',
      },
    },
    {
      name: 'chat-knows-nothing-of-mail',
      severity: 'error',
      from: { path: '^services/notification/src/chat/', pathNot: TESTS },
      to: {
        path: '^services/notification/src/',
        pathNot: '^services/notification/src/(chat/|settings\\.ts$)',
      },
    },
    {
      name: 'mail-knows-chat-only',
      severity: 'error',
      from: { path: '^services/notification/src/mail/', pathNot: TESTS },
      to: { path: '^services/notification/src/', pathNot: '^services/notification/src/(mail|chat)/' },
    },
    {
      name: 'hooks-know-no-other-room',
      severity: 'error',
      from: { path: '^services/notification/src/hooks/', pathNot: TESTS },
      to: {
        path: '^services/notification/src/',
        pathNot: '^services/notification/src/(hooks/|settings\\.ts$)',
      },
    },
    {
      name: 'dispatch-knows-chat-and-mail-only',
      severity: 'error',
      from: { path: '^services/notification/src/dispatch/', pathNot: TESTS },
      to: {
        path: '^services/notification/src/',
        pathNot: '^services/notification/src/(dispatch|chat|mail)/',
      },
    },
    {
      name: 'news-knows-no-doors',
      severity: 'error',
      from: { path: '^services/notification/src/news/', pathNot: TESTS },
      to: {
        path: '^services/notification/src/',
        pathNot: '^services/notification/src/(news|dispatch|chat|mail|hooks)/',
      },
    },
    {
      name: 'billing-minutes-know-neither-stripe-nor-plan',
      severity: 'error',
      from: { path: '^services/billing/src/minutes/', pathNot: TESTS },
      to: { path: '^services/billing/src/(?!minutes/|paging\\.ts$)' },
    },
    {
      name: 'billing-stripe-knows-no-plan',
      severity: 'error',
      from: { path: '^services/billing/src/stripe/', pathNot: TESTS },
      to: { path: '^services/billing/src/(?!minutes/|stripe/)' },
    },
    {
      name: 'billing-plan-knows-no-doors',
      severity: 'error',
      from: { path: '^services/billing/src/plan/', pathNot: TESTS },
      to: { path: '^services/billing/src/(?!minutes/|stripe/|plan/|paging\\.ts$)' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    // Reads types, values, dynamic imports and .tsx; the notice that tsc 7 is not supported is of no consequence.
    parser: 'swc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
