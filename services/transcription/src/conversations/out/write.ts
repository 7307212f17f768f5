// A program: makes the file of a conversation that it is given on its standard input, and writes it.
import { json } from 'node:stream/consumers'
import { contentOf, type Order } from './formats.ts'

process.stdout.write(await contentOf((await json(process.stdin)) as Order))
