import { type ControlRoute, ok, route } from './route.ts'

/** The document describes the routes it is one of, so it gets them late. */
export function openapi(routes: () => readonly ControlRoute[]) {
  return [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API as OpenAPI 3.1',
      answers: { 200: 'OpenApi' },
      async run() {
        // Its schemas are of no use to any other request.
        const { controlDocument } = await import('./document.ts')
        return ok(controlDocument(routes()))
      },
    }),
  ]
}
