import { serialize } from 'bson'
import fc from 'fast-check'
import { encodeCursor } from '../commands/cursors.ts'
import { decode, MAX_MESSAGE_BYTES } from '../store/values.ts'
import { createFraming, readMessage, writeReply } from './wire.ts'

const opMsg = 2013

function message(opCode: number, ...parts: Uint8Array[]) {
  const body = Buffer.concat(parts)
  const header = Buffer.alloc(16)
  header.writeInt32LE(16 + body.length, 0)
  header.writeInt32LE(7, 4)
  header.writeInt32LE(opCode, 12)
  return Buffer.concat([header, body])
}

function int32(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

const body = (doc: object) => Buffer.concat([Buffer.from([0]), serialize(doc)])

function sequence(name: string, docs: object[]) {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...docs.map(doc => serialize(doc))])
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content])
}

const msg = (doc: object, flags = 0, ...more: Buffer[]) => message(opMsg, int32(flags), body(doc), ...more)

describe('framing', () => {
  test('when messages are cut into any packets, then the same messages come out', () => {
    const messages = [msg({ ping: 1 }), msg({ hello: 1, text: 'x'.repeat(300) }), msg({ ping: 2 })]
    const stream = Buffer.concat(messages)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 12 }), cuts => {
        const frame = createFraming()
        const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
        const packets = edges.slice(1).map((end, i) => stream.subarray(edges[i], end))
        expect(packets.flatMap(packet => frame(packet))).toEqual(messages)
      }),
    )
  })

  test('when a length is too small or too large, then it is an error before anything is kept', () => {
    for (const size of [0, 15, -1, MAX_MESSAGE_BYTES + 1])
      expect(() => createFraming()(int32(size))).toThrow()
  })
})

describe('messages', () => {
  test('when a command has a document sequence, then it is a field of the command', () => {
    const read = readMessage(msg({ insert: 'c', $db: 'd' }, 0, sequence('documents', [{ a: 1 }, { a: 2 }])))
    expect(read).toMatchObject({
      requestId: 7,
      body: { insert: 'c', documents: [{ a: 1 }, { a: 2 }] },
    })
    expect(Object.keys(read.body)[0]).toBe('insert')
  })

  test('when a hello comes in the old form, then it is read and answered in the old form', () => {
    const query = message(
      2004,
      int32(0),
      Buffer.from('admin.$cmd\0'),
      int32(0),
      int32(-1),
      serialize({ isMaster: 1 }),
    )
    const request = readMessage(query)
    expect(request.body).toEqual({ isMaster: 1, $db: 'admin' })
    const reply = writeReply(request, serialize({ ok: 1 }))
    expect([reply.readInt32LE(0), reply.readInt32LE(8), reply.readInt32LE(12)]).toEqual([reply.length, 7, 1])
  })

  test('when documents are put into a reply as they are, then it is what encoding them gives', () => {
    const docs = Array.from({ length: 12 }, (_, n) => ({ n, text: 'x'.repeat(n) }))
    const encoded = docs.map(doc => serialize(doc))
    expect(decode(encodeCursor('firstBatch', encoded, 7, 'd.c'))).toEqual({
      cursor: { firstBatch: docs, id: 7, ns: 'd.c' },
      ok: 1,
    })
  })

  test.each([
    ['an unknown opcode', message(1, serialize({}))],
    ['an unknown required flag', msg({ ping: 1 }, 1 << 5)],
    ['no wish for an answer', msg({ ping: 1 }, 2)],
    ['a checksum', message(opMsg, int32(1), body({ ping: 1 }), int32(12345))],
    ['no body', message(opMsg, int32(0))],
    ['two bodies', msg({ ping: 1 }, 0, body({ ping: 2 }))],
    ['an unknown section', message(opMsg, int32(0), Buffer.from([9, 0, 0, 0, 0]))],
    ['a body that ends too late', message(opMsg, int32(0), Buffer.from([0]), int32(1000))],
    ['a body that is not BSON', message(opMsg, int32(0), Buffer.from([0, 6, 0, 0, 0, 99, 0]))],
    ['a header alone', message(opMsg)],
    [
      'a query on a collection',
      message(2004, int32(0), Buffer.from('d.c\0'), int32(0), int32(1), serialize({})),
    ],
  ])('when a message has %s, then it is refused', (_name, bytes) => {
    expect(() => readMessage(bytes)).toThrow()
  })

  test('when a message is any garbage, then it is read or refused, but never waited for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(opMsg, 2004, 0), (bytes, opCode) => {
        try {
          readMessage(message(opCode, bytes))
        } catch (error) {
          expect(error).toHaveProperty('message')
        }
      }),
    )
  })
})
