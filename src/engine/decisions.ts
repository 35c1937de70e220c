import { cancelPayment } from './cancel-payment.ts'
import type { CommandName, CommandResult, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { createPayment } from './create-payment.ts'
import { createPayout } from './create-payout.ts'
import { forgetDevelopmentSecrets } from './development-secrets.ts'
import {
  createEndpoint,
  deleteEndpoint,
  openListener,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from './endpoints.ts'
import { openPage, payOnPage } from './hosted-page.ts'
import { importEvents, removeImportedEvents } from './imported-events.ts'
import { actOnPayment } from './payment-actions.ts'
import type { Context } from './ports.ts'
import { postponeDelivery, recordAttempt, recordDuplicates } from './record-attempt.ts'
import { refundPayment } from './refund-payment.ts'
import { replayEvent, retryDelivery } from './replay-event.ts'
import { initialize, reset } from './reset.ts'
import { addFault, addRule, consumeFaults, removeFaults, removeRules, replaceFaults } from './rules-and-faults.ts'
import { runTimer } from './run-timer.ts'
import { changeSettings, importState, setClock } from './settings-and-clock.ts'
import { settlePayout, settleRefund } from './settlement.ts'
import { createKey, createShop, revokeKey, rotateShopSecret, updateShop } from './shops-and-keys.ts'
import type { World } from './world.ts'

type Decide<N extends CommandName> = (input: Input<N>, world: World, context: Context) => Commit<CommandResult<N>>

/** The decision of each command. A decision is pure: it returns one commit or throws a refusal. */
export const DECISIONS: { readonly [N in CommandName]: Decide<N> } = {
  create_payment: createPayment,
  cancel_payment: cancelPayment,
  refund_payment: refundPayment,
  create_payout: createPayout,
  run_timer: runTimer,
  act_on_payment: actOnPayment,
  settle_refund: settleRefund,
  settle_payout: settlePayout,
  open_page: openPage,
  pay_on_page: payOnPage,
  record_attempt: recordAttempt,
  record_duplicates: recordDuplicates,
  postpone_delivery: postponeDelivery,
  replay_event: replayEvent,
  retry_delivery: retryDelivery,
  test_endpoint: testEndpoint,
  consume_faults: consumeFaults,
  create_shop: createShop,
  update_shop: updateShop,
  rotate_shop_secret: rotateShopSecret,
  forget_development_secrets: forgetDevelopmentSecrets,
  create_key: createKey,
  revoke_key: revokeKey,
  create_endpoint: createEndpoint,
  update_endpoint: updateEndpoint,
  delete_endpoint: deleteEndpoint,
  rotate_endpoint_secret: rotateEndpointSecret,
  open_listener: openListener,
  change_settings: changeSettings,
  set_clock: setClock,
  add_rule: addRule,
  add_fault: addFault,
  remove_rules: removeRules,
  remove_faults: removeFaults,
  replace_faults: replaceFaults,
  import_events: importEvents,
  remove_imported_events: removeImportedEvents,
  initialize,
  reset,
  import_state: importState,
}
