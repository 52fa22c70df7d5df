/** `reasoningTokens` as "reasoning tokens". */
export const splitCamelCase = (name: string): string => name.replaceAll(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase()
