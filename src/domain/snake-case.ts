/** Converts a name to snake case: `phoneNumber` and `Phone-Number` become `phone_number`, and `card[cvc]` becomes `card_cvc`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-\s.[\]]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase()
}
