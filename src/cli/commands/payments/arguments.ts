import { ID_FORMS } from '../../../domain/id-formats.ts'
import { required } from '../../parsing/flags.ts'

export const PAYMENT_ID = { id: required(`payment id, ${ID_FORMS.payment}`) }
