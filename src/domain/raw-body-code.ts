/** Code with which a framework hands out the received bytes of a body. Each entry is run in `test/frameworks`. */
export const RAW_BODY_CODE = {
  Express: 'express.raw({ type: "application/json", limit: "2mb" })',
  Fastify:
    'app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit: 2097152 }, (request, body, done) => done(null, body))',
  Hono: 'await c.req.arrayBuffer()',
  Flask: 'request.get_data()',
  FastAPI: 'await request.body()',
  Django: 'request.body',
  PHP: 'file_get_contents("php://input")',
  Go: 'io.ReadAll(r.Body)',
} as const

export type Framework = keyof typeof RAW_BODY_CODE

/** `Flask: request.get_data(). PHP: …`, for the frameworks given. */
export function rawBodyAdvice(...frameworks: readonly Framework[]): string {
  return frameworks.map((name) => `${name}: ${RAW_BODY_CODE[name]}${WHERE[name] ?? ''}.`).join(' ')
}

/** Where the code must be, if its line is not enough. */
const WHERE: { readonly [name in Framework]?: string } = { Express: ' on this route, above express.json()' }
