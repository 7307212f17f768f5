import axios from 'axios'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { speechOf } from './testing/speech.ts'

const [SECOND_ID, SECOND] = ['106540352242923', '15550783882']

test('when a person writes to the second number, then it answers, and new people get the first one', async () => {
  const system = await startOneProcess({ WHATSAPP_PHONE_NUMBER_IDS: SECOND_ID })
  const onOffer = async () => (await axios.get(`${system.appUrl}/api/config`)).data.data
  try {
    const first = await signUp(system)
    await first.sendNote(await speechOf(3, 'first.ogg'), { voice: true })
    await first.replies(1)
    await eventually(
      'the first number has more people',
      async () => (await onOffer()).whatsappNumber === SECOND,
    )
    expect((await onOffer()).chatUrl).toContain(`/wa/${SECOND}?`)
    const second = await signUp(system)
    const note = await second.sendNote(await speechOf(4, 'second.ogg'), { voice: true, to: SECOND })
    expect(await second.replyTo(note)).toMatchObject({ numberId: SECOND_ID })
    const ids = (await second.messages()).map(({ numberId }) => numberId)
    expect(new Set(ids)).toEqual(new Set([SECOND_ID]))
  } finally {
    await system.stop()
    await system.remove()
  }
})
