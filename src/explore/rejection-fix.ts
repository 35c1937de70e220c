// Chooses the fix for an event that the handler never accepts, by its last response.
import type { HandlerResponse } from '../audit/ports.ts'
import { fixForStatus } from '../domain/remediation.ts'

/** @param wasAbandoned the search dropped the response to an earlier message on purpose, so the handler may know the event */
export function rejectionFix({ status, error }: Partial<HandlerResponse>, kind: string, wasAbandoned: boolean): string {
  if (status === undefined)
    return `Look for an exception or a stopped worker in the log of the handler, and in the log of any proxy in front of it. Respond to ${kind} in every case.`
  if (error !== undefined) return 'Send as many bytes as Content-Length announces, and end the response.'
  if (status >= 400 && status < 500 && wasAbandoned)
    return 'Respond 2xx to an event that was handled already. If a response is lost, the event is sent again.'
  if (status >= 500)
    return `Find the error of ${kind} in the log of the handler. If there is nothing to do for this event, respond 2xx.`
  if (status === 404 || status === 410)
    return 'Respond 2xx to an event that changes nothing. If the handler accepts only orders that it created, let it create them: add --order-url or --order-cmd.'
  if (status === 409 || status === 422 || status === 423 || status === 425)
    return `A handler may respond ${status} until it can use an event. Here it already has every earlier event, so respond 2xx to ${kind}, even if nothing changes.`
  if (status === 400 || status === 401 || status === 403)
    return `If the handler accepts other events, look for a check that rejects the content of ${kind}. If it accepts none, check the secret: run \`psp audit\` without --explore first.`
  return fixForStatus(status)
}
