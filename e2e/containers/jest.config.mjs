import config from '../../jest.config.mjs'

// The containers suite stands apart from the default run: it needs Docker.
const { displayName, testMatch, ...shared } = config.projects.find(project => project.displayName === 'e2e')
export default { ...shared, rootDir: '../..', testMatch: ['**/e2e/containers/*.suite.ts'] }
