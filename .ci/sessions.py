"""A server of Django with sessions, a login form and tokens against forged requests, for the tests of cookies.

    python sessions.py 19132 folder

The views are Django's own, but for a list of orders. There is one user: u, with the password p.
"""
import pathlib
import sys

from django.conf import settings

folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
settings.configure(
    SECRET_KEY="x",
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "db.sqlite3"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions"],
    MIDDLEWARE=[
        "django.middleware.common.CommonMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {"loaders": [
        ("django.template.loaders.locmem.Loader", {"registration/login.html": "{% csrf_token %}{{ form }}"}),
    ], "context_processors": ["django.template.context_processors.request"]}}],
    LOGIN_REDIRECT_URL="/orders/",
    LOGOUT_REDIRECT_URL="/login/",
)

import django  # noqa: E402

django.setup()

from django.contrib.auth import views  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402
import waitress  # noqa: E402

ORDERS = [{"id": 7}]


def orders(request):
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    if request.method == "POST":
        return JsonResponse({"id": 8}, status=201)
    return JsonResponse(ORDERS, safe=False)


urlpatterns = [
    path("login/", views.LoginView.as_view()),
    path("logout/", views.LogoutView.as_view()),
    path("orders/", orders),
]

call_command("migrate", verbosity=0)
if not User.objects.exists():
    User.objects.create_user("u", password="p")
waitress.serve(get_wsgi_application(), host="127.0.0.1", port=int(sys.argv[1]), threads=4)
