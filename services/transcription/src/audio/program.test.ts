import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPriority } from 'node:os'
import { ffmpegCommand } from './ffmpeg.ts'
import { OUT_OF_TIME, runProgram, withoutNetwork } from './program.ts'

const { signal } = new AbortController()
const shell = (script: string, cpuSeconds = 20) =>
  runProgram('/bin/sh', ['-c', script], signal, { cpuSeconds })

describe('a program that reads what somebody sent', () => {
  test('when it starts, then nothing of our environment is there', async () => {
    const names = (await shell('env')).split('\n').map(line => line.split('=')[0])
    // What a shell sets by itself.
    expect(names.filter(name => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))).toEqual([])
  })

  test('when it starts, then its memory and its processor time are limited', async () => {
    expect(await shell('ulimit -d; ulimit -t', 7)).toBe('500000\n7\n')
  })

  test('when it starts, then it gives way to the services', async () => {
    expect(Number(await shell('nice'))).toBe(Math.min(19, getPriority() + 5))
  })

  test('when it computes for longer than it may, then it is ended, and that is told apart', async () => {
    await expect(shell('while :; do :; done', 1)).rejects.toMatchObject({ code: OUT_OF_TIME })
    // As ffmpeg does.
    const catches = shell('trap "echo bye >&2; exit 255" XCPU; while :; do :; done', 1)
    await expect(catches).rejects.toMatchObject({ code: OUT_OF_TIME, stderr: 'bye' })
  })

  test('when this machine allows it, then it reaches nobody', async () => {
    if (!withoutNetwork().length) return
    let calls = 0
    const server = createServer((_request, response) => {
      calls += 1
      response.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const call = ['-i', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`]
    await expect(runProgram(ffmpegCommand(), call, signal)).rejects.toThrow()
    expect(calls).toBeGreaterThan(0)
    const before = calls
    await expect(runProgram(ffmpegCommand(), call, signal, { cpuSeconds: 20 })).rejects.toThrow()
    expect(calls).toBe(before)
    server.closeAllConnections()
    server.close()
  })
})

test('when a program is trusted, then it has our environment, as pip needs for its proxy', async () => {
  expect(await runProgram('/bin/sh', ['-c', 'env | grep -c ^PATH='], signal)).toBe('1\n')
})
