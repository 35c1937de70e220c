import type { Group } from '../../command.ts'
import { deliveries } from './deliveries/group.ts'
import { endpoints } from './endpoints/group.ts'

export const webhooks: Group = {
  name: 'webhooks',
  about: 'Manage endpoints and deliveries.',
  commands: [endpoints, deliveries],
}
