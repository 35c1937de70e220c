import { required } from '../../flags.ts'

export const PAYMENT_ID = { id: required('payment id') }
