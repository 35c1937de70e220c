import type { Group } from '../../command.ts'
import { deliveries } from './deliveries/group.ts'
import { endpoints } from './endpoints/group.ts'

export const webhooks: Group = {
  name: 'webhooks',
  about: 'Endpoints, and what was delivered to them.',
  commands: [endpoints, deliveries],
}
