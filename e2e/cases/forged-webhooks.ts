import axios from 'axios'
import { signUp } from '../testing/person.ts'
import type { System } from '../testing/system.ts'
import { webhookOf } from '../testing/webhook.ts'

/** Webhooks that must be refused. */
export function forgedWebhookCases(system: () => System): void {
  test('when a webhook has no or a wrong signature, then it is refused and nothing is stored', async () => {
    const person = await signUp(system())
    const { body } = webhookOf({ from: person.number, id: 'wamid.forged', type: 'audio', audio: { id: '1' } })
    const post = (signature?: string) =>
      axios.post(`${system().appUrl}/webhooks/whatsapp`, body, {
        headers: {
          'content-type': 'application/json',
          ...(signature ? { 'x-hub-signature-256': signature } : {}),
        },
        validateStatus: () => true,
      })
    expect((await post()).status).toBe(401)
    expect((await post(`sha256=${'0'.repeat(64)}`)).status).toBe(401)
    expect((await person.transcriptions()).statistics.total).toBe(0)
  })
}
