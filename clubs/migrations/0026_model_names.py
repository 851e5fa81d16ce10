from django.db import migrations, models


class Migration(migrations.Migration):
    """The models have other names; tables and columns keep theirs."""

    dependencies = [("clubs", "0025_columns_of_lists")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Tries", "RateLimitCounter"),
                migrations.AlterModelOptions("RateLimitCounter", {}),
                migrations.AlterModelTable("RateLimitCounter", "clubs_tries"),
                migrations.RenameModel("ToldNews", "PublishedFacts"),
                migrations.AlterModelTable("PublishedFacts", "clubs_toldnews"),
                migrations.RenameField("PublishedFacts", "lane", "ordering_key"),
                migrations.AlterField(
                    "PublishedFacts",
                    "ordering_key",
                    models.CharField(db_column="lane", max_length=80, unique=True),
                ),
                migrations.RenameField("WebhookDelivery", "lane", "ordering_key"),
                migrations.AlterField(
                    "WebhookDelivery",
                    "ordering_key",
                    models.CharField(db_column="lane", max_length=80),
                ),
            ]
        )
    ]
