import { openApiDocument } from '@voxscribe/contracts/openapi'
import express, { type Router } from 'express'

/** Swagger UI starts from this file; the page itself is the package's. */
const INITIALIZER = `window.onload = () => {
  window.ui = SwaggerUIBundle({ url: '/api/docs/openapi.json', dom_id: '#swagger-ui', deepLinking: true })
}
`

/** The description of the API and a page to try it, at /api/docs. Swagger UI is a development package: production has none. */
export async function mountApiDocs(router: Router): Promise<void> {
  // The package's main file would load the page's script, which is half a megabyte.
  const { default: folderOfPage } = await import('swagger-ui-dist/absolute-path.js')
  const document = openApiDocument()
  router.get('/api/docs/openapi.json', (_request, response) => {
    response.json(document)
  })
  router.get('/api/docs/swagger-initializer.js', (_request, response) => {
    response.type('js').send(INITIALIZER)
  })
  router.use('/api/docs', express.static(folderOfPage()))
}
