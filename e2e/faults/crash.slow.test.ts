import { crashCase } from '../cases/crash.ts'

// A stop on purpose is in stop.slow.test.ts.
crashCase('kill')
