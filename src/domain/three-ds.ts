// The steps of a 3-D Secure confirmation, in English and Russian.
export const THREE_DS_STEPS = {
  requested: ['the bank asks for a code', 'банк запрашивает код'],
  malformed: ['incomplete code', 'неполный код'],
  wrong: ['wrong code', 'неверный код'],
  expired: ['expired code', 'код истёк'],
  resent: ['new code requested', 'запрошен новый код'],
  left: ['the buyer went back to the card', 'покупатель вернулся к карте'],
  confirmed: ['the buyer confirmed', 'покупатель подтвердил'],
  declined: ['the buyer declined', 'покупатель отказался'],
} as const satisfies Readonly<Record<string, readonly [en: string, ru: string]>>

export type ThreeDsStep = keyof typeof THREE_DS_STEPS
