from django.db import migrations, models

OWNERS_CHANGES = (
    "change_role remove_member leave_club join change_club change_club_page set_club_picture"
    " remove_club_picture change_signing_key lead_here begin_mirror_anew hand_over follow_site"
    " take_snapshot_file change_privacy keep_person keep_person_no_longer change_incident close_incident"
    " reopen_incident switch_feed_on switch_feed_off open_federation change_federation end_federation"
    " follow_feed unfollow_feed open_season change_season count_nights close_season reopen_season ask_dues"
    " change_dues turn_ratings_on turn_ratings_off"
).split()


def note_permissions(apps, schema_editor):
    actions = apps.get_model("clubs", "ClubAction").objects.using(schema_editor.connection.alias)
    owners = models.Q(kind__in=OWNERS_CHANGES) | models.Q(kind="undo", details__of__in=OWNERS_CHANGES)
    actions.update(permission="direct")
    actions.filter(owners).update(permission="own")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0023_plain_labels")]

    operations = [
        migrations.AddField(
            model_name="clubaction",
            name="permission",
            field=models.CharField(blank=True, default="", max_length=6),
        ),
        migrations.RunPython(note_permissions, migrations.RunPython.noop),
    ]
