-- The template that leaves in place of a text whose 24-hour window is closed; null: there is none.
ALTER TABLE "tenants" ADD COLUMN     "reopen_template_language" TEXT,
ADD COLUMN     "reopen_template_name" TEXT;

ALTER TABLE "tenants" ADD CONSTRAINT "tenants_reopen_template_whole"
  CHECK (("reopen_template_name" IS NULL) = ("reopen_template_language" IS NULL));
