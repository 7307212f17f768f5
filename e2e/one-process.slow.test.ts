import { casesOn } from './cases/all.ts'
import { startOneProcess } from './testing/one-process.ts'

describe('everything in one process', () => {
  casesOn(() => startOneProcess())
})
