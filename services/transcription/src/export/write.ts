// A program that reads a note from its standard input and writes its file to its standard output.
import { json } from 'node:stream/consumers'
import { inTimeZone } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { contentOf, type Order } from './formats.ts'

const { note, format, options, language } = (await json(process.stdin)) as Order
const i18n = inTimeZone(i18nFor(language), note.timeZone)
const found = { ...note, createdAt: new Date(note.createdAt) }
process.stdout.write(await contentOf(found, format, { ...options, i18n }))
