import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { ffmpegCommand } from './ffmpeg.ts'
import { GUARD, guardArguments, OUT_OF_TIME, runProgram, withoutNetwork } from './program.ts'

const { signal } = new AbortController()
const shell = (script: string, cpuSeconds = 20) =>
  runProgram('/bin/sh', ['-c', script], signal, { cpuSeconds })

describe('a program that reads what somebody sent', () => {
  test('when it starts, then nothing of our environment is there', async () => {
    const names = (await shell('env')).split('\n').map(line => line.split('=')[0])
    // A shell sets these itself.
    expect(names.filter(name => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))).toEqual([])
  })

  test('when it starts, then its memory and its processor time are limited', async () => {
    expect(await shell('ulimit -d; ulimit -t', 7)).toBe('500000\n7\n')
  })

  test('when memory runs out, then Linux ends it first', async () => {
    if (process.platform === 'linux') expect(await shell('cat /proc/self/oom_score_adj')).toBe('1000\n')
  })

  test('when it starts, then it gives way to the services', async () => {
    expect(Number(await shell('nice'))).toBe(Math.min(19, getPriority() + 5))
  })

  test('when it computes for longer than it may, then it is ended, and that is told apart', async () => {
    await expect(shell('while :; do :; done', 1)).rejects.toMatchObject({ code: OUT_OF_TIME })
    // ffmpeg does the same.
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

const exists = (pid: number) => existsSync(`/proc/${pid}`)

describe('a program under the guard', () => {
  /** One of our processes, which runs a program and prints its id. */
  const parentOf = (script: string) => {
    const line = JSON.stringify([...guardArguments('/bin/sh', { cpuSeconds: 20 }), '-c', script])
    const source = `require('node:child_process').spawn('${GUARD}', ${line}).stdout.pipe(process.stdout)`
    return spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  }

  test('when our process is killed, then it ends with what it has started', async () => {
    const parent = parentOf('echo $$; sleep 100')
    const [pid] = await once(parent.stdout!, 'data')
    parent.kill('SIGKILL')
    await eventually(() => !exists(Number(pid)))
  })

  test('when the group of our process is stopped, then it goes on until we end it', async () => {
    const parent = parentOf('echo $$; sleep 0.5; echo done')
    const [pid] = await once(parent.stdout!, 'data')
    const [, group] = /\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${Number(pid)}/stat`, 'utf8')) ?? []
    expect(Number(group)).not.toBe(parent.pid)
    process.kill(-parent.pid!, 'SIGWINCH')
    expect(String((await once(parent.stdout!, 'data'))[0])).toBe('done\n')
  })

  test('when its work is stopped, then it is killed with what it has started', async () => {
    const abort = new AbortController()
    const path = `/tmp/voxscribe-test-${process.pid}.pid`
    const running = runProgram('/bin/sh', ['-c', `echo $$ > ${path}; sleep 100`], abort.signal, {
      cpuSeconds: 9,
    })
    running.catch(() => {})
    await eventually(() => existsSync(path) && readFileSync(path, 'utf8').trim())
    const pid = Number(readFileSync(path, 'utf8'))
    rmSync(path)
    abort.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await eventually(() => !exists(pid))
  })

  test('when no process can be started, then ffmpeg’s command fails, and the service goes on', async () => {
    const source = `
      import { openSync } from 'node:fs'
      import { createFfmpeg } from ${JSON.stringify(join(import.meta.dirname, 'ffmpeg.ts'))}
      const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 5_000 })
      const options = { to: '/dev/null', signal: new AbortController().signal }
      try { for (;;) openSync('/dev/null') } catch {}
      const failed = await ffmpeg.decode('/dev/null', options).catch(error => error)
      process.stdout.write(String(failed.reason === undefined && failed instanceof Error))
    `
    const args = [
      '-c',
      'ulimit -n 200; exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '-e',
      source,
    ]
    expect(await runProgram('/bin/sh', args, signal)).toBe('true')
  })
})
