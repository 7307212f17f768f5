import config from '../containers/jest.config.mjs'

export default { ...config, testMatch: ['**/e2e/cluster/*.suite.ts'] }
