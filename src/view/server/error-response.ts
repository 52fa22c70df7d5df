import type { Context } from 'hono'

/** An error as text for a person who opens an address, else as a document. */
export function errorResponse(
  context: Context,
  status: 400 | 401 | 403 | 404 | 405 | 500,
  message: string,
  next: string,
): Response {
  const isPage = context.req.header('accept')?.includes('text/html') === true
  return isPage
    ? context.text(`${message}\n\nNext: ${next}\n`, status)
    : context.json({ schema: 'touchstone/view-error/1', message, next }, status)
}
