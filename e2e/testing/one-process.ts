import { MEMORY_ENV, MEMORY_OPTIONS } from '@voxscribe/local/memory'
import { type Env, freePorts, generousLimits, newDataDir, type System, startSystem } from './system.ts'

/**
 * Starts the whole product in one process, as `npm start` does, on its own ports and data. `fill` adds data that an
 * earlier process has left; `host` is the host of its address in a browser.
 */
export async function startOneProcess(
  env: Env = {},
  fill?: (dataDir: string) => unknown,
  host = '127.0.0.1',
): Promise<System> {
  const [port, sandboxPort, managementPort] = await freePorts(3)
  const dataDir = await newDataDir()
  await fill?.(dataDir)
  const appUrl = `http://${host}:${port}`
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  return startSystem({
    appUrl,
    sandboxUrl,
    dataDir,
    ingestionMetricsUrls: [`http://127.0.0.1:${managementPort}/metrics`],
    programs: [
      {
        name: 'voxscribe',
        script: 'deploy/local/main.ts',
        options: MEMORY_OPTIONS,
        ready: `${appUrl}/api/config`,
        env: {
          ...generousLimits,
          PORT: String(port),
          PUBLIC_URL: appUrl,
          SANDBOX_PORT: String(sandboxPort),
          MANAGEMENT_PORT: String(managementPort),
          DATA_DIR: dataDir,
          MODEL_FETCH: 'off',
          LOG_LEVEL: 'info',
          ...MEMORY_ENV,
          ...env,
        },
      },
    ],
  })
}
