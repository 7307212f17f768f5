import { freshBrowser } from './storage.ts'

beforeEach(freshBrowser)
