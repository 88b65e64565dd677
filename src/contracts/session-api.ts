import { z } from 'zod'
import { LOCALES } from '../shared/locale.ts'
import { staffDtoSchema } from './staff-api.ts'

/** `POST /v1/auth/login`: the token is for `Authorization: Bearer`, the cookie holds the same. */
export const loginDtoSchema = z.object({
  token: z.string().describe('For `Authorization: Bearer`; the cookie holds the same'),
  staff: staffDtoSchema,
})

/** `GET /v1/me`: who is logged in, and where. */
export const meDtoSchema = z.object({
  staff: staffDtoSchema,
  tenant: z.object({
    slug: z.string(),
    name: z.string(),
    timeZone: z.string(),
    locale: z.enum(LOCALES),
    currency: z.string(),
  }),
})
export type MeDto = z.infer<typeof meDtoSchema>
