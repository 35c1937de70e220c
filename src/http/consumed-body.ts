import { errorObject } from './errors.ts'

type Body = Pick<Request, 'bodyUsed' | 'body'>

export const BODY_CONSUMED =
  'The body of this request was read before the sandbox received the request. Read a clone instead: await request.clone().json().'

/** True if the body of a request can no longer be read. */
export function isConsumed({ bodyUsed, body }: Body): boolean {
  return bodyUsed || body?.locked === true
}

/** Returns the error response for such a request, for adapters that cannot pass it on. */
export function consumedBodyResponse(): Response {
  return Response.json(errorObject('bad_request', BODY_CONSUMED), { status: 400 })
}
