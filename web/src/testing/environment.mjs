import { TestEnvironment } from 'jest-environment-jsdom'

/** jsdom, with the APIs that browsers have and jsdom lacks; Node's own where it has them. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup()
    const { global: page } = this
    Object.assign(page, {
      ReadableStream,
      WritableStream,
      Response,
      TextEncoder,
      TextDecoder,
      TextDecoderStream,
      TransformStream,
      CompressionStream,
      DecompressionStream,
      structuredClone,
    })
    page.scrollTo = () => {}
    // No response comes until a test replaces this.
    page.fetch = () => new Promise(() => {})
    page.Element.prototype.scrollIntoView = () => {}
    page.Blob.prototype.arrayBuffer = async function () {
      const reader = new page.FileReader()
      const read = new Promise(resolve => {
        reader.onload = resolve
      })
      reader.readAsArrayBuffer(this)
      await read
      return reader.result
    }
    page.Blob.prototype.text = async function () {
      return new TextDecoder().decode(await this.arrayBuffer())
    }
    Object.assign(page.HTMLDialogElement.prototype, {
      showModal() {
        this.open = true
      },
      close() {
        this.open = false
      },
    })
    page.IS_REACT_ACT_ENVIRONMENT = true
  }
}
