import type { FastifyRequest } from 'fastify'
import { AppError } from '../../shared/app-error.ts'
import { sessionOf } from './session.ts'

/** `onRequest` of routes that are for owners alone. @throws AppError `forbidden`. */
export async function requireOwner(request: FastifyRequest): Promise<void> {
  if (sessionOf(request).staff.role !== 'owner') {
    throw new AppError('forbidden', 'this is for owners of the business alone')
  }
}
