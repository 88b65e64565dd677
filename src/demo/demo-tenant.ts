import type { z } from 'zod'
import type { tenantDocumentSchema } from '../contracts/tenant-document.ts'

export const DEMO_PHONE_NUMBER_ID = '106540352242922'
export const DEMO_WABA_ID = '102290129340398'
export const DEMO_LOGIN = { tenant: 'studio-aurora', email: 'dona@example.com', password: 'aurora-demo-2026' }

const MORNING = { from: '09:00', to: '12:00' }
const AFTERNOON = { from: '13:00', to: '18:00' }
const WEEK = [1, 2, 3, 4, 5]

/** The salon of the demo, as an operator would write it. */
export const demoTenant: z.input<typeof tenantDocumentSchema> = {
  slug: DEMO_LOGIN.tenant,
  name: 'Studio Aurora',
  timeZone: 'America/Sao_Paulo',
  locale: 'pt-BR',
  currency: 'BRL',
  channel: {
    phoneNumberId: DEMO_PHONE_NUMBER_ID,
    wabaId: DEMO_WABA_ID,
    displayPhoneNumber: '+551130000000',
    accessToken: 'demo-token',
  },
  services: [
    {
      key: 'corte',
      name: 'Corte de cabelo',
      description: 'Com lavagem',
      durationMinutes: 45,
      bufferAfterMinutes: 15,
      priceCents: 8_000,
    },
    { key: 'escova', name: 'Escova', durationMinutes: 30, priceCents: 6_000 },
    {
      key: 'coloracao',
      name: 'Coloração',
      description: 'Raiz ou fio inteiro',
      durationMinutes: 120,
      bufferAfterMinutes: 15,
      priceCents: 22_000,
    },
    { key: 'manicure', name: 'Manicure', durationMinutes: 40, priceCents: 4_500 },
  ],
  professionals: [
    {
      key: 'ana',
      name: 'Ana',
      services: ['corte', 'escova', 'coloracao'],
      hours: [
        { weekdays: WEEK, ...MORNING },
        { weekdays: WEEK, ...AFTERNOON },
        { weekdays: [6], from: '09:00', to: '14:00' },
      ],
    },
    {
      key: 'bruno',
      name: 'Bruno',
      services: ['corte', 'escova'],
      hours: [{ weekdays: [2, 3, 4, 5, 6], from: '11:00', to: '20:00' }],
    },
    {
      key: 'carla',
      name: 'Carla',
      services: ['manicure'],
      hours: [
        { weekdays: WEEK, ...MORNING },
        { weekdays: WEEK, ...AFTERNOON },
      ],
    },
  ],
  instructions: 'Fale de forma calorosa e breve.',
  staff: [
    { email: DEMO_LOGIN.email, name: 'Paula', role: 'owner', password: DEMO_LOGIN.password },
    { email: 'recepcao@example.com', name: 'Júlia', role: 'attendant', password: 'aurora-demo-2026' },
  ],
}
