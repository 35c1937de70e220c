// The schemas inside responses that have a name in the document of the control API.
import * as values from '../named-values.ts'
import * as object from './object-schemas.ts'
import { STREAM_SCHEMAS } from './stream-schemas.ts'

export const PART_SCHEMAS = {
  DeliveryAttempt: object.attempt,
  DuplicateAttempt: object.copy,
  HttpMessage: object.message,
  LoggedBody: object.loggedBody,
  DueStep: object.dueStep,
  StateRow: object.row,
  StateTables: object.stateTables,
  EventStreamCounts: object.eventStreamCounts,
  ...STREAM_SCHEMAS,
  ...values.VALUE_SCHEMAS,
  ClockMode: values.clockMode,
  DeliveryStatus: values.deliveryStatus,
  EventName: values.eventName,
  FailureCode: values.failureCode,
  FaultTarget: values.faultTarget,
  MatchValue: values.matchValue,
  PageMethod: values.pageMethod,
  RulePlan: values.rulePlan,
  SignatureVersion: values.signatureVersion,
}
