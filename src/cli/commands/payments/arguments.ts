import { required } from '../../parsing/flags.ts'

export const PAYMENT_ID = { id: required('payment id') }
