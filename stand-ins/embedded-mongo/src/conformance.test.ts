import { openServer } from './conformance/address.ts'
import { aggregationCases } from './conformance/aggregation.ts'
import { concurrencyCases } from './conformance/concurrency.ts'
import { crudCases } from './conformance/crud.ts'
import { indexCases } from './conformance/indexes.ts'
import { queryCases } from './conformance/queries.ts'
import { updateCases } from './conformance/updates.ts'

// MONGO_URL names any MongoDB-wire server to test. MONGO_ATOMIC=off skips cases that need an atomic find-and-modify.
const server = await openServer()
afterAll(server.close)

crudCases(server)
queryCases(server)
updateCases(server)
indexCases(server)
aggregationCases(server)
if (process.env.MONGO_ATOMIC !== 'off') concurrencyCases(server)
