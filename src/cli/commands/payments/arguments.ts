import { ID_EXAMPLES } from '../../../domain/id-examples.ts'
import { required } from '../../parsing/flags.ts'

export const PAYMENT_ID = { id: required(`payment id, ${ID_EXAMPLES.payment}`) }
