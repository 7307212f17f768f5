// Checks whether this container is ready: asks the management port, or HEALTH_URL, and exits with 0 or 1.
const { HEALTH_URL, MANAGEMENT_PORT = '9090' } = process.env
const answer = await fetch(HEALTH_URL ?? `http://127.0.0.1:${MANAGEMENT_PORT}/readyz`).catch(() => undefined)
process.exit(answer?.ok ? 0 : 1)
