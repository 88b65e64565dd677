import type { DomainTexts } from './domain-text.ts'

const HUMAN = 'Ofereça transferir para um atendente.'
const LIST = 'Consulte os horários de outra data.'

function offer(nearest: string): string {
  return nearest === '' ? `Não há horário livre por perto. ${HUMAN}` : `Ofereça um destes: ${nearest}.`
}

function next(date: string | null): string {
  return date === null
    ? `Não há próxima data com horário livre. ${HUMAN}`
    : `Próxima data com horário livre: ${date}.`
}

export const ptBr: DomainTexts = {
  timeTaken: (nearest) => ({ message: 'Esse horário já está ocupado.', suggestion: offer(nearest) }),
  dayFull: (date, nearest, nextDate) => ({
    message: `Não há horário livre em ${date} para o que foi pedido.`,
    suggestion: nearest === '' ? next(nextDate) : `${offer(nearest)} ${next(nextDate)}`,
  }),
  closedThatDay: (date, closedBy, nextDate) => ({
    message:
      closedBy === 'exception'
        ? `Não há atendimento em ${date}: a data está fechada.`
        : `Não há atendimento em ${date}: não se atende nesse dia da semana.`,
    suggestion: next(nextDate),
  }),
  outsideHours: (open, nearest) => ({
    message: `O serviço não cabe no horário de atendimento${open === '' ? '' : `: ${open}`}.`,
    suggestion: offer(nearest),
  }),
  offGrid: (nearest) => ({ message: 'Não há horário que comece nesse minuto.', suggestion: offer(nearest) }),
  tooSoon: (minutes, earliest) => ({
    message: `É preciso marcar com mais de ${minutes} minutos de antecedência.`,
    suggestion: earliest === null ? LIST : `O primeiro horário possível é ${earliest}.`,
  }),
  tooFar: (lastDate) => ({
    message: `A agenda só está aberta até ${lastDate}.`,
    suggestion: `Peça uma data até ${lastDate}.`,
  }),
  inThePast: (now, nearest) => ({
    message: `Esse momento já passou; agora são ${now}.`,
    suggestion: offer(nearest),
  }),
  invalidStart: () => ({
    message: 'Essa data ou hora não existe.',
    suggestion: 'Use uma data do calendário, na forma AAAA-MM-DD ou AAAA-MM-DDTHH:MM.',
  }),
  wholeMinutes: (field) => ({
    message: `${field}: os horários começam em um minuto inteiro.`,
    suggestion: 'Envie a hora sem segundos nem frações, por exemplo 2026-12-07T09:00:00-03:00.',
  }),
  unknownService: (services) => ({
    message: 'Não existe esse serviço.',
    suggestion: services === '' ? HUMAN : `Use a chave de um destes: ${services}.`,
  }),
  unknownProfessional: (professionals) => ({
    message: 'Não existe esse profissional.',
    suggestion: professionals === '' ? HUMAN : `Use a chave de um destes: ${professionals}.`,
  }),
  professionalDoesNotDoService: (professional, others) => ({
    message: `${professional ?? 'Ninguém'} ${professional === null ? 'faz' : 'não faz'} esse serviço.`,
    suggestion: others === '' ? HUMAN : `Quem faz: ${others}.`,
  }),
  limitReached: (limit, codes) => ({
    message: `O cliente já tem ${limit} agendamento(s) futuro(s), o máximo permitido: ${codes}.`,
    suggestion: 'Ofereça remarcar ou cancelar um deles.',
  }),
  customerBusy: (code, from, to) => ({
    message: `O cliente já tem o agendamento ${code} das ${from} às ${to}.`,
    suggestion: 'Ofereça outro horário ou remarque esse; se for para outra pessoa, informe o nome dela.',
  }),
  notFound: () => ({
    message: 'Não há agendamento com esse código.',
    suggestion: 'Confira o código na lista de agendamentos do cliente.',
  }),
  unknownCustomer: () => ({
    message: 'Não existe esse cliente.',
    suggestion: 'Confira o cadastro do cliente.',
  }),
  changeTooLate: (minutes) => ({
    message: `Faltam menos de ${minutes} minutos: já não se altera nem cancela por aqui.`,
    suggestion: 'Transfira para um atendente, que pode ajudar.',
  }),
  alreadyCancelled: () => ({
    message: 'Esse agendamento já está cancelado.',
    suggestion: 'Se o cliente quiser voltar, marque um novo.',
  }),
  wrongState: (status) => ({
    message: `Esse agendamento já está encerrado (${status}) e não pode mudar assim.`,
    suggestion: 'Se for preciso, marque um novo.',
  }),
  idempotencyMismatch: () => ({
    message: 'Essa chave de idempotência já foi usada com outro pedido.',
    suggestion: 'Use uma chave nova para um pedido novo.',
  }),
}
