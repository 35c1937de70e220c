import type { EndpointView } from '../../../../client/control-types.ts'
import { type Detail, printDetails } from '../../../output/details.ts'
import type { Output } from '../../../output/output.ts'

export function printEndpoint(out: Output, endpoint: EndpointView): void {
  const details: Detail[] = [
    ['endpoint', endpoint.id, out.paint.bold],
    ['url', endpoint.url],
    ['events', endpoint.events.length === 0 ? 'all' : endpoint.events.join(', ')],
    ['signature', endpoint.signature],
    ['active', endpoint.active ? 'yes' : 'no'],
    ['secret', endpoint.secret],
  ]
  printDetails(out, details)
}
