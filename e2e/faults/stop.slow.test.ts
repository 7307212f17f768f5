import { crashCase } from '../cases/crash.ts'

crashCase('stop')
