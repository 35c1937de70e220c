import { type ControlRoute, ok, route } from './route.ts'

/** The document describes the routes it is one of, so it gets them late. */
export function openapi(routes: () => readonly ControlRoute[]) {
  return [
    route({
      name: 'getOpenApi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get this document',
      description: 'Returns the OpenAPI document of the control API.',
      responses: { 200: 'OpenApiDocument' },
      async run() {
        // Its schemas are of no use to any other request.
        const { controlDocument } = await import('./document.ts')
        return ok(controlDocument(routes()))
      },
    }),
  ]
}
