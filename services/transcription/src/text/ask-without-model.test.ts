import { foundByOf } from '../note/listing.ts'
import { deskWithSphinx } from '../testing.ts'

const { desk } = await deskWithSphinx()

test('when there is no text model, then a question finds the passages', async () => {
  const facts = { text: 'The plumber comes on Tuesday.', title: null, fileName: 'a.ogg' }
  await desk.notes.insertOne({
    ...{ _id: 'n1', userId: 'ada', status: 'completed', source: { channel: 'web' }, ...facts },
    ...{ words: foundByOf(facts as never), durationSeconds: 4, createdAt: new Date(0), notices: [] },
  } as never)
  const { body } = await desk.call('POST', '/ask', 'ada', {
    body: { question: 'When are the plumbers coming?' },
  })
  expect(body.data).toEqual({
    ...{ found: false, answer: [], searched: [], left: null },
    passages: [
      {
        ...{ transcriptionId: 'n1', title: 'a.ogg', at: '1970-01-01T00:00:00.000Z' },
        ...{ segment: '1', start: 0, text: 'The plumber comes on Tuesday.' },
      },
    ],
  })
})
