import { takeTime } from './hurry.ts'
import { freshBrowser } from './storage.ts'

beforeEach(freshBrowser)
afterEach(takeTime)
