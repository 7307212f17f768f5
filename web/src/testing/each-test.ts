import { restoreTimers } from './delays.ts'
import { freshBrowser } from './storage.ts'

beforeEach(freshBrowser)
afterEach(restoreTimers)
