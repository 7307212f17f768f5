// Each test file compiles the modules that it loads again, in its own context: a tenth of all processor time. V8's code
// of a module is kept for the next files of the worker.
import vm from 'node:vm'
import Runtime from 'jest-runtime'

const { compileFunction, SourceTextModule } = vm

/** V8 compares only lengths: a file that has changed while jest watches is another entry. */
const [functions, modules] = [new Map(), new Map()]
function kept(entries, name, source) {
  const entry = entries.get(name)
  return entry?.source === source ? entry.cachedData : undefined
}

vm.compileFunction = (source, params, options) => {
  const cachedData = kept(functions, options.filename, source)
  const compiled = compileFunction(source, params, { ...options, cachedData, produceCachedData: !cachedData })
  if (!cachedData) functions.set(options.filename, { source, cachedData: compiled.cachedData })
  return compiled
}

vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const cachedData = kept(modules, options.identifier, source)
    super(source, { ...options, cachedData })
    if (!cachedData) modules.set(options.identifier, { source, cachedData: this.createCachedData() })
  }
}

export default Runtime.default ?? Runtime
