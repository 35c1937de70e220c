// The schemas inside responses that have a name in the document of the control API.
import * as values from '../enum-schemas.ts'
import * as deliverySchemas from './delivery-schemas.ts'
import * as controlSchemas from './object-schemas.ts'
import { STREAM_SCHEMAS } from './stream-schemas.ts'

export const PART_SCHEMAS = {
  DeliveryAttempt: deliverySchemas.attempt,
  DuplicateAttempt: deliverySchemas.copy,
  HttpMessage: deliverySchemas.message,
  LoggedBody: controlSchemas.loggedBody,
  LastAttempt: deliverySchemas.lastAttempt,
  DueStep: controlSchemas.dueStep,
  StateRow: controlSchemas.row,
  StateTables: controlSchemas.stateTables,
  EventStreamCounts: controlSchemas.eventStreamCounts,
  ...STREAM_SCHEMAS,
  ...values.VALUE_SCHEMAS,
  ClockMode: values.clockMode,
  ThreeDsStep: values.threeDsStep,
  DeliveryStatus: values.deliveryStatus,
  EventName: values.eventName,
  FailureCode: values.failureCode,
  FaultTarget: values.faultTarget,
  ImportedSignature: values.importedSignature,
  MatchValue: values.matchValue,
  PageMethod: values.pageMethod,
  RulePlan: values.rulePlan,
  SignatureVersion: values.signatureVersion,
}
