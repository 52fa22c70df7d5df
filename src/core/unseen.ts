/**
 * Characters that would hide or reorder text, or steer who shows it: controls, formatting, private and unpaired ones. A joiner between two
 * pictures of one sign, as of a family, is part of that sign.
 */
export const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]--[\u200D]]|(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|\u200D(?!\p{Extended_Pictographic})/gv
