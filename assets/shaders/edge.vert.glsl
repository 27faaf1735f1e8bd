// A feature edge as a ribbon: light where both faces are seen, dark where one is (the silhouette), none otherwise.
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 6) in vec3 first_normal;
layout(location = 7) in vec3 second_normal;
layout(location = 8) in vec2 corner;  // which end, which side

uniform mat4 camera;
uniform vec4 eye;
uniform vec2 picture;       // device pixels
uniform float width;        // device pixels
uniform float inner;        // opacity of light lines
uniform float silhouette;   // opacity of dark lines

flat out vec4 line;

void main() {
    vec3 a = world_point(from), b = world_point(to);
    vec3 sight = eye.xyz - eye.w * a;
    bool first = dot(world_normal(first_normal), sight) > 0.0;
    bool second = dot(world_normal(second_normal), sight) > 0.0;
    vec4 p = camera * vec4(a, 1.0), q = camera * vec4(b, 1.0);
    if (!(first || second) || p.w < 1e-4 || q.w < 1e-4) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        line = vec4(0.0);
        return;
    }
    vec2 along = (q.xy / q.w - p.xy / p.w) * picture;
    float far = length(along);  // twice the length in pixels
    vec2 across = far > 1e-6 ? vec2(-along.y, along.x) / far : vec2(0.0);
    vec4 place = corner.x < 0.5 ? p : q;
    place.xy += across * corner.y * width * place.w / picture;
    place.z -= 2e-5 * place.w;
    // Lines of bodies a few pixels large would cover them: they fade.
    float strength = smoothstep(6.0, 36.0, far);
    line = (first && second) ? vec4(1.0, 1.0, 1.0, inner * strength) : vec4(0.0, 0.0, 0.0, silhouette * strength);
    gl_Position = place;
}
